/// <reference types="vite/client" />

interface TrustedTypePolicyFactory {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL: (url: string) => unknown };
}

declare var trustedTypes: TrustedTypePolicyFactory | undefined;
