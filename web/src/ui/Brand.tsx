import { BRAND_LOGO } from "../lib/brand";

/** The logo: the installation's own, or a reception bell. */
export function Brand({ size = 28 }: { size?: number }) {
  if (BRAND_LOGO) return <img className="brand-mark" src={BRAND_LOGO} width={size} height={size} alt="" />;
  return (
    <svg className="brand-mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect className="brand-ground" width="32" height="32" rx="9" />
      <path className="brand-bell" d="M6.5 21.5a9.5 9.5 0 0 1 19 0z" />
      <rect className="brand-brass" x="5" y="23" width="22" height="2.6" rx="1.3" />
      <rect className="brand-bell" x="14.6" y="8" width="2.8" height="4" rx="1.2" />
      <rect className="brand-brass" x="12.4" y="6.6" width="7.2" height="2.4" rx="1.2" />
    </svg>
  );
}
