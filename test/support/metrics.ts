/** The lines of the metrics of a server. */
export const readMetricLines = async (url: string): Promise<string[]> =>
  (await (await fetch(`${url}/metrics`)).text()).split('\n');

/** The value of a series, such as `calls_in_progress{status="queued"}`; NaN without one. */
export const readMetric = async (url: string, series: string): Promise<number> =>
  Number(
    (await readMetricLines(url)).find((line) => line.startsWith(`${series} `))?.slice(series.length + 1),
  );

export const QUEUED_CALLS = 'calls_in_progress{status="queued"}';
