/** The logo: the trigram Li, "that which clings", one of the eight that tradition attributes to Fuxi. */
export function Mark({ className = "size-5" }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" className={className} fill="currentColor">
      <rect x="3" y="4.5" width="18" height="3.4" rx="1.7" />
      <rect x="3" y="10.3" width="7.4" height="3.4" rx="1.7" />
      <rect x="13.6" y="10.3" width="7.4" height="3.4" rx="1.7" />
      <rect x="3" y="16.1" width="18" height="3.4" rx="1.7" />
    </svg>
  );
}
