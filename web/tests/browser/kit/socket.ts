/** Helpers for test servers on a free local port. */

import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

export const listen = (server: Server): Promise<void> =>
  new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

export const addressOf = (server: Server): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
