import { shorten } from '@parley/worker';
import { toMembers, parseFrame } from '../../json-frames';

const TIMEOUT_MS = 10_000;

export interface TelnyxAccount {
  /** Such as `https://api.telnyx.com`. */
  apiUrl: string;
  apiKey: string;
}

/**
 * The ids of calls, such as `v3:MdI91X4lWFEs7IgbBEOT9M4AigoY08M0WWZFISt1Yw2axZ_IiE4pqg` (Telnyx's reference of the Call
 * Control, `call_control_id`).
 */
export const CALL_CONTROL_ID = /^v\d+:[\w+/=-]{1,200}$/;

export const isCallControlId = (id: unknown): id is string =>
  typeof id === 'string' && CALL_CONTROL_ID.test(id);

/** Telnyx refused a request. */
export class TelnyxError extends Error {
  constructor(
    readonly status: number,
    /** Telnyx's own code of the error; '': it said none. */
    readonly code: string,
  ) {
    super(`Telnyx answered ${status}${code && `, code ${code}`}`);
    this.name = 'TelnyxError';
  }

  /** The call has ended, or never was. */
  get isGone(): boolean {
    return this.status === 404 || GONE.has(this.code);
  }

  /** The same request may succeed later. */
  get isTemporary(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}

const GONE = new Set(['90018', '90015', '10005']);

/** The parts of Telnyx's Call Control that calls need. */
export class TelnyxClient {
  constructor(private readonly account: TelnyxAccount) {}

  /** @param fields with a `command_id`, by which Telnyx knows a request that comes twice @returns the id of the call */
  async createCall(fields: object): Promise<string> {
    const { call_control_id: id } = await this.repeated('/v2/calls', fields);
    if (!isCallControlId(id)) throw new TelnyxError(200, '');
    return id;
  }

  /** @param fields with a `command_id` */
  async command(id: string, action: string, fields: object): Promise<void> {
    await this.repeated(`/v2/calls/${encodeURIComponent(id)}/actions/${action}`, fields);
  }

  /** The calls of an application that are not over, each with its state. */
  async *listCalls(connectionId: string): AsyncIterable<{ id: unknown; state: unknown }> {
    const path = `/v2/connections/${encodeURIComponent(connectionId)}/active_calls`;
    let after: unknown;
    do {
      const page = typeof after === 'string' ? `?page[after]=${encodeURIComponent(after)}` : '';
      const { data, meta } = await this.send('GET', `${path}${page}`);
      const calls = Array.isArray(data) ? data.map(toMembers) : [];
      for (const { call_control_id: id, client_state: state } of calls) yield { id, state };
      after = calls.length > 0 ? toMembers(toMembers(meta).cursors).after : undefined;
    } while (typeof after === 'string');
  }

  async isAlive(id: string): Promise<boolean> {
    try {
      const call = await this.request('GET', `/v2/calls/${encodeURIComponent(id)}`);
      return call.is_alive === true;
    } catch (error) {
      if (error instanceof TelnyxError && error.isGone) return false;
      throw error;
    }
  }

  /** Ends a call, or takes it back while it rings. A call that is over stays so. */
  async hangUp(id: string): Promise<void> {
    try {
      // Without a `command_id`: Telnyx might ignore the repetition of a request that it has refused.
      await this.request('POST', `/v2/calls/${encodeURIComponent(id)}/actions/hangup`, {});
    } catch (error) {
      if (!(error instanceof TelnyxError && error.isGone)) throw error;
    }
  }

  /** One request, and a second one if nobody knows what became of the first. */
  private async repeated(path: string, fields: object): Promise<Record<string, unknown>> {
    try {
      return await this.request('POST', path, fields);
    } catch (error) {
      if (error instanceof TelnyxError && error.status < 500) throw error;
      return await this.request('POST', path, fields);
    }
  }

  private async request(method: string, path: string, fields?: object): Promise<Record<string, unknown>> {
    return toMembers((await this.send(method, path, fields)).data);
  }

  private async send(method: string, path: string, fields?: object): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.account.apiUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.account.apiKey}`,
        'content-type': 'application/json',
        accept: 'application/json',
      },
      body: fields && JSON.stringify(fields),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = parseFrame(await response.text()) ?? {};
    if (response.ok) return body;
    const { code } = toMembers(Array.isArray(body.errors) ? body.errors[0] : undefined);
    throw new TelnyxError(response.status, typeof code === 'string' ? shorten(code, 20) : '');
  }
}
