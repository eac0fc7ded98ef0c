/**
 * Sends a webhook. It does not use the connection of an earlier one: a balancer before several runtimes must choose one for
 * each webhook.
 */
export const post = (
  url: string,
  headers: Record<string, string>,
  body: string | URLSearchParams,
  ms: number,
) =>
  fetch(url, {
    method: 'POST',
    headers: { ...headers, connection: 'close' },
    body,
    signal: AbortSignal.timeout(ms),
  });
