/** Redirect path registered with the identity provider. */
export const RETURN_PATH = "/signed-in";
