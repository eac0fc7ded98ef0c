import { on, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { ApiClient } from '../../support/client';
import { createdId, fileForm, postForm } from '../../support/knowledge-bases';
import { until } from '../../support/until';
import type { BackgroundWork } from './attack';

const ANSWER_TIMEOUT_MS = 5_000;

const PAUSE_MS = 20;

const BACKGROUND_TIMEOUT_MS = 20_000;

/** The address of a call at the server itself, whose public address is another one. */
export const toLocal = (join: string, url: string) =>
  new URL(new URL(join).pathname, url.replace(/^http/, 'ws'));

export interface Timings {
  requests: number;
  /** One line per failed request. */
  failures: string[];
  slowestMs: number;
  medianMs: number;
}

/** A workspace with normal requests: it reads an agent and the statistics, and starts calls. */
export class Neighbour {
  private readonly api: ApiClient;

  constructor(
    private readonly url: string,
    credential: Record<string, string>,
    readonly agentId: string,
  ) {
    this.api = new ApiClient(url, credential);
  }

  /** @returns how many milliseconds the work took */
  async backgroundWork(kind: BackgroundWork): Promise<number> {
    const work = {
      document: () => this.indexDocument(),
      campaign: () => this.runCampaign(),
      'web call': () => this.talk(),
      webhook: () => this.sendWebhook(),
    };
    return work[kind]();
  }

  /** Joins a web call in writing, and waits until the agent has said something. */
  private async talk(): Promise<number> {
    const startedAt = performance.now();
    const { status, body } = await this.api.post(`/api/agents/${this.agentId}/calls`, {
      call_type: 'webcall',
    });
    if (!body.data?.join) throw new Error(`A web call cannot be joined: ${status} ${JSON.stringify(body)}`);
    const socket = new WebSocket(toLocal(body.data.join.url as string, this.url));
    try {
      await once(socket, 'open');
      socket.send(JSON.stringify({ event: 'start', mediaFormat: null }));
      for await (const [data] of on(socket, 'message', {
        signal: AbortSignal.timeout(BACKGROUND_TIMEOUT_MS),
      }))
        if ((JSON.parse(String(data)) as { event: string }).event === 'transcript') break;
      // A call whose connection is cut keeps its place for a while.
      socket.send(JSON.stringify({ event: 'stop' }));
      await once(socket, 'close');
    } finally {
      socket.terminate();
    }
    return performance.now() - startedAt;
  }

  /** Waits until the only recipient of a campaign is called. */
  private async runCampaign(): Promise<number> {
    const startedAt = performance.now();
    const form = fileForm({
      fields: { campaignName: 'Reminders', assistantId: this.agentId },
      name: 'recipients.csv',
      content: 'phone_number\n+15551234567\n',
    });
    const { body } = await this.api.raw('/api/campaign', { method: 'POST', body: form });
    const path = `/api/campaign/${body.data.campaign_id}`;
    await until(
      async () => (await this.api.get(path)).body.data.progress.pending === 0,
      BACKGROUND_TIMEOUT_MS,
    );
    return performance.now() - startedAt;
  }

  /** Waits until a small document is found by a search. */
  private async indexDocument(): Promise<number> {
    const startedAt = performance.now();
    const name = `Hours ${startedAt}`;
    const created = await postForm(this.api, fileForm({ fields: { name } }));
    const path = `/api/knowledge-base/${createdId(created)}/search?query=open`;
    await until(async () => (await this.api.get(path)).body.data?.length > 0, BACKGROUND_TIMEOUT_MS);
    return performance.now() - startedAt;
  }

  /** Waits until a test event has reached a receiver. */
  private async sendWebhook(): Promise<number> {
    const startedAt = performance.now();
    const receiver = createServer((_, response) => void response.writeHead(204).end());
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const { port } = receiver.address() as AddressInfo;
    const { body } = await this.api.post('/api/webhooks/test', { url: `http://127.0.0.1:${port}/` });
    const path = `/api/webhooks/deliveries/${body.data.delivery_id}`;
    await until(
      async () => (await this.api.get(path)).body.data.status === 'delivered',
      BACKGROUND_TIMEOUT_MS,
    );
    receiver.close();
    return performance.now() - startedAt;
  }

  /** Sends one request after the other until the work is done. */
  async requestsDuring(work: Promise<unknown>): Promise<Timings> {
    let isDone = false;
    const done = work.finally(() => (isDone = true));
    const times: number[] = [];
    const failures: string[] = [];
    for (let number = 0; !isDone; number += 1) {
      const startedAt = performance.now();
      const failure = await this.request(number);
      times.push(performance.now() - startedAt);
      if (failure) failures.push(failure);
      await pause(PAUSE_MS);
    }
    await done;
    times.sort((a, b) => a - b);
    return {
      requests: times.length,
      failures,
      slowestMs: times.at(-1) ?? 0,
      medianMs: times[Math.floor(times.length / 2)] ?? 0,
    };
  }

  /** @returns the failure, if any */
  private async request(number: number): Promise<string | undefined> {
    const agent = `/api/agents/${this.agentId}`;
    const [method, path] = [
      ['GET', agent],
      ['GET', '/api/reports/agents/calls'],
      ['POST', `${agent}/calls`],
    ][number % 3] as [string, string];
    try {
      const { status, body } = await this.api.raw(path, {
        method,
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
        ...(method === 'POST' && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ to_number: `+1555${String(number).padStart(7, '0')}` }),
        }),
      });
      return status === 200 ? undefined : `${method} ${path}: ${status} ${JSON.stringify(body)}`;
    } catch (error) {
      return `${method} ${path}: ${String((error as Error).cause ?? error)}`;
    }
  }
}
