# Two commands are enough: `make run` and `make test`. Each target is a small script under scripts/.

.DEFAULT_GOAL := help
.PHONY: help run test test-full audit coverage fmt clean

help: ## say what each target does
	@echo "Frontdesk. Targets:"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

run: ## build and start Frontdesk on http://127.0.0.1:8080 (ARGS="--bind …" is passed on)
	@scripts/run $(ARGS)

test: ## install what tests need, then check format, lints and all tests
	@scripts/test

test-full: ## make test, then the documentation and the long tests (crashes, load, soak)
	@scripts/test full

audit: ## look for known faults in what we build on, where a database is at hand
	@scripts/audit

coverage: ## measure line coverage; more than 80 % is asked for
	@scripts/coverage

fmt: ## format the code
	@cargo fmt --all

clean: ## remove what was built; your data in ./data stays
	@scripts/test-postgres stop 2>/dev/null || true
	@cargo clean
	@rm -rf web/node_modules web/dist
