# `make run` and `make test` are all you need. Each target calls a small script in scripts/.

.DEFAULT_GOAL := help
.PHONY: help run test test-full audit design-map coverage fmt clean

help: ## list the targets
	@echo "Frontdesk. Targets:"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

run: ## build and start Frontdesk on http://127.0.0.1:8080 (ARGS="--bind …" adds options)
	@scripts/run $(ARGS)

test: ## install what the tests need, then run format check, lints and all tests
	@scripts/test

test-full: ## make test, then the benches, the documentation and the long tests (crashes, load, soak)
	@scripts/test full

audit: ## check dependencies for known vulnerabilities, with the tools that are installed
	@scripts/audit

design-map: ## list what the designs and our promises name, and the tests that prove it
	@cargo test --quiet -p frontdesk --test it every_design_row_has_a_test -- --nocapture

coverage: ## measure line coverage; it must exceed 80 %
	@scripts/coverage

fmt: ## format the code
	@cargo fmt --all

clean: ## remove build output; ./data stays
	@scripts/test-postgres stop 2>/dev/null || true
	@cargo clean
	@rm -rf web/node_modules web/dist
