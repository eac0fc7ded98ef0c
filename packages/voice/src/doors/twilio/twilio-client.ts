import { parseFrame, toMembers } from '../../json-frames';

const TIMEOUT_MS = 10_000;

export interface TwilioAccount {
  /** Such as `https://api.twilio.com`. */
  apiUrl: string;
  accountSid: string;
  authToken: string;
}

/** The ids of calls (Twilio's reference of the resource Call). */
export const CALL_SID = /^CA[0-9a-fA-F]{32}$/;

/** Twilio refused a request. Its own words may have numbers of persons in them, so they are not repeated. */
export class TwilioError extends Error {
  constructor(
    readonly status: number,
    /** Twilio's own number of the error; 0: it said none. */
    readonly code: number,
  ) {
    super(`The carrier answered ${status}${code > 0 ? `, code ${code}` : ''}`);
    this.name = 'TwilioError';
  }

  /** The call has ended, or never was. */
  get isGone(): boolean {
    return this.status === 404 || this.code === NOT_IN_PROGRESS;
  }
}

const NOT_IN_PROGRESS = 21220;

/** The parts of Twilio's REST interface that calls need. A call must not be placed twice, so nothing is repeated here. */
export class TwilioClient {
  constructor(private readonly account: TwilioAccount) {}

  /** @returns the id of the call */
  async createCall(form: URLSearchParams): Promise<string> {
    const { sid } = await this.request('POST', 'Calls.json', form);
    if (typeof sid === 'string' && CALL_SID.test(sid)) return sid;
    throw new Error('The carrier placed the call, and did not say its id');
  }

  /** @returns '' for a call that is none of the account */
  async readStatus(sid: string): Promise<string> {
    try {
      const { status } = await this.request('GET', toPath(sid));
      return typeof status === 'string' ? status : '';
    } catch (error) {
      if (error instanceof TwilioError && error.status === 404) return '';
      throw error;
    }
  }

  /** The statuses of the calls that the document of a call has placed. */
  async listChildStatuses(sid: string): Promise<string[]> {
    const { calls } = await this.request('GET', `Calls.json?ParentCallSid=${encodeURIComponent(sid)}`);
    if (!Array.isArray(calls)) throw new Error('The carrier did not list the calls that a call has placed');
    return calls.map((call) => String(toMembers(call).status));
  }

  /** Gives a call another document and time limit. Its present document, with its media stream, ends. */
  async instruct(sid: string, twiml: string, limitSeconds: number): Promise<void> {
    const form = new URLSearchParams({ Twiml: twiml, TimeLimit: String(limitSeconds) });
    await this.request('POST', toPath(sid), form);
  }

  /** Ends a call, or takes it back while it rings. A call that is over stays so. */
  async hangUp(sid: string): Promise<void> {
    try {
      await this.request('POST', toPath(sid), new URLSearchParams({ Status: 'completed' }));
    } catch (error) {
      if (!(error instanceof TwilioError && error.isGone)) throw error;
    }
  }

  private async request(
    method: string,
    path: string,
    form?: URLSearchParams,
  ): Promise<Record<string, unknown>> {
    const { apiUrl, accountSid, authToken } = this.account;
    const basic = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
    const response = await fetch(`${apiUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/${path}`, {
      method,
      headers: {
        authorization: `Basic ${basic}`,
        accept: 'application/json',
      },
      body: form,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = parseFrame(await response.text());
    if (response.ok && body) return body;
    throw new TwilioError(response.status, typeof body?.code === 'number' ? body.code : 0);
  }
}

const toPath = (sid: string) => `Calls/${encodeURIComponent(sid)}.json`;
