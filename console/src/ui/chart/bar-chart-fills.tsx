import styles from './bar-chart.module.css';

/** Patterns in tiles of eight by eight, which can be distinguished without colours. The first and the last fill are plain. */
const TILES = ['M-2 2 2-2M0 8 8 0M6 10 10 6', 'M2 2h2v2h-2zM6 6h2v2h-2z', 'M0 2H8M0 6H8', 'M0 0H8M0 0V8'];

/** The most parts of a bar that people can distinguish. */
export const MAX_PARTS = TILES.length + 2;

export const getFill = (place: number) =>
  place === 0 ? 'var(--accent)' : place > TILES.length ? 'var(--line-strong)' : `url(#part-${place})`;

/** The patterns of parts, for the whole document. */
export const Fills = () => (
  <defs>
    {TILES.map((path, index) => (
      <pattern key={path} id={`part-${index + 1}`} width={8} height={8} patternUnits="userSpaceOnUse">
        <rect width={8} height={8} className={styles.ground} />
        <path d={path} className={styles.ink} />
      </pattern>
    ))}
  </defs>
);

/** The legend: the names and the fills of the parts. */
export const Legend = ({ names }: { names: string[] }) => (
  <ul className={styles.legend}>
    {names.map((name, place) => (
      <li key={name}>
        <svg aria-hidden="true" className={styles.swatch}>
          <rect width="100%" height="100%" fill={getFill(place)} className={styles.part} />
        </svg>
        {name}
      </li>
    ))}
  </ul>
);
