/** The installation's name and logo, which the server writes into the page. */

const { brand, logo } = document.documentElement.dataset;

export const BRAND_NAME = brand ?? "Frontdesk";

/** The address of the installation's own logo. */
export const BRAND_LOGO = logo === undefined ? null : "/brand/logo";
