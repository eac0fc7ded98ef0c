/** Each band is this much wider than the one before it, so that a percentile is off by a tenth at most. */
const GROWTH = 1.1;
const FIRST_MS = 100;
const LAST_MS = 30_000;

/** The milliseconds at which bands of latencies begin. The last one has no end. */
export const LATENCY_BANDS = listBounds();

function listBounds(): number[] {
  const bounds = [0];
  for (let bound = FIRST_MS; bound < LAST_MS; bound *= GROWTH) bounds.push(Math.round(bound));
  return [...bounds, LAST_MS];
}

export const findBand = (ms: number): number => LATENCY_BANDS.findLastIndex((bound) => bound <= ms);

/**
 * Finds a percentile of latencies that were counted by bands, as if those of a band were evenly spread in it.
 * @param counts by band
 * @returns milliseconds; null: there are none
 */
export function findPercentile(counts: ReadonlyMap<number, number>, share: number): number | null {
  let left = share * [...counts.values()].reduce((sum, count) => sum + count, 0);
  for (const band of [...counts.keys()].sort((one, other) => one - other)) {
    const count = counts.get(band) ?? 0;
    const from = LATENCY_BANDS[band] ?? LAST_MS;
    if (count > 0 && left <= count)
      return Math.round(from + ((LATENCY_BANDS[band + 1] ?? from) - from) * (left / count));
    left -= count;
  }
  return null;
}
