/** Named figures side by side. */

interface Props {
  title?: string;
  facts: [name: string, value: string][];
}

export function Figures({ title, facts }: Props) {
  return (
    <section aria-label={title}>
      {title && <h2>{title}</h2>}
      <dl className="figures-grid">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
