/** Every panel, one line each. */

export { default as autopilot } from "./autopilot";
export { default as company } from "./company";
export { default as docs } from "./docs";
export { default as gatepass } from "./gatepass";
export { default as gig } from "./gig";
export { default as operator } from "./operator";
export { default as tata } from "./tata";
