import styles from './chart.module.css';

const COLOURS = ['var(--accent)', ...[2, 3, 4, 5, 6, 7].map((place) => `var(--chart-${place})`)];

/** The most parts of a bar that people can distinguish. */
export const MAX_PARTS = COLOURS.length + 1;

/** Lines cross each other, so that fewer of them can be followed: six groups, and all others. */
export const MAX_LINES = 7;

/** A part of a bar, or a line: a group, what belongs to no group, or all other groups together. */
export type PartKind = 'group' | 'none' | 'others';

export interface Part {
  name: string;
  kind: PartKind;
}

/** The fills of parts. The groups have colours; the rest is grey, and what belongs to no group is hatched. */
export function getFills(parts: Part[]): string[] {
  let place = 0;
  return parts.map(({ kind }) => {
    if (kind === 'none') return 'url(#part-none)';
    if (kind === 'others') return 'var(--line-strong)';
    return COLOURS[place++ % COLOURS.length] ?? 'var(--accent)';
  });
}

/** The colours of lines, which cannot be hatched. */
export const getStrokes = (parts: Part[]): string[] =>
  getFills(parts).map((fill, place) => (parts[place]?.kind === 'none' ? 'var(--text-muted)' : fill));

/** The pattern of calls that belong to no group, for the whole document. */
export const Fills = () => (
  <defs>
    <pattern id="part-none" width={6} height={6} patternUnits="userSpaceOnUse">
      <rect width={6} height={6} className={styles.ground} />
      <path d="M-2 2 2-2M0 6 6 0M4 8 8 4" className={styles.ink} />
    </pattern>
  </defs>
);

/** The legend: the names and the fills of the parts. */
export function Legend({ parts, fills = getFills(parts) }: { parts: Part[]; fills?: string[] }) {
  return (
    <ul className={styles.legend}>
      {parts.map(({ name }, place) => (
        <li key={place}>
          <svg aria-hidden="true" className={styles.swatch}>
            <rect width="100%" height="100%" fill={fills[place]} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}
