import { unparse } from 'papaparse';
import { exampleOf } from '../validation/example';
import type { ExportFormat } from './call-filter.dto';
import { CallDto } from './call-records.dto';

/**
 * What a spreadsheet would run as a formula; an apostrophe before it makes it a text. A phone number is none: it stays
 * as it is, so that a program can dial it, and a spreadsheet shows its digits.
 */
const FORMULA = /^(?!\+\d{1,15}$)[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

const COLUMNS: Record<string, (call: CallDto) => unknown> = {
  call_id: (call) => call.call_id,
  agent_id: ({ agent }) => agent.id,
  agent_name: ({ agent }) => agent.name,
  agent_deleted: ({ agent }) => agent.deleted,
  agent_version: (call) => call.agent_version,
  campaign_id: (call) => call.campaign_id,
  direction: (call) => call.direction,
  channel: (call) => call.channel,
  call_type: (call) => call.call_type,
  to_number: (call) => call.to_number,
  from_number: (call) => call.from_number,
  customer_name: (call) => call.customer_name,
  external_id: (call) => call.external_id,
  status: (call) => call.status,
  disconnect_reason: (call) => call.disconnect_reason,
  disconnected_by: (call) => call.disconnected_by,
  created_at: (call) => call.created_at,
  connected_at: (call) => call.connected_at,
  ended_at: (call) => call.ended_at,
  duration_sec: (call) => call.duration_sec,
  charge: (call) => call.charge,
  outcome: (call) => call.outcome,
  has_recording: (call) => call.has_recording,
};

/** A time as in the API, null as an empty cell. */
const cellOf = (value: unknown) => (value instanceof Date ? value.toISOString() : value);

const csvLines = (rows: unknown[][]) =>
  rows.length === 0 ? '' : `${unparse(rows, { newline: '\r\n', escapeFormulae: FORMULA })}\r\n`;

interface Writer {
  contentType: string;
  /** What the file begins with. */
  head: string;
  /** These calls, as lines of the file. */
  lines(calls: CallDto[]): string;
}

export const EXPORT_WRITERS: Record<ExportFormat, Writer> = {
  /** RFC 4180 */
  csv: {
    contentType: 'text/csv; charset=utf-8; header=present',
    head: csvLines([Object.keys(COLUMNS)]),
    lines: (calls) =>
      csvLines(calls.map((call) => Object.values(COLUMNS).map((column) => cellOf(column(call))))),
  },
  jsonl: {
    contentType: 'application/x-ndjson; charset=utf-8',
    head: '',
    lines: (calls) => calls.map((call) => `${JSON.stringify(call)}\n`).join(''),
  },
};

const EXAMPLE = [exampleOf(CallDto) as CallDto];

/** Files with one call. */
export const EXPORT_EXAMPLES: Record<ExportFormat, string> = {
  csv: EXPORT_WRITERS.csv.head + EXPORT_WRITERS.csv.lines(EXAMPLE),
  jsonl: EXPORT_WRITERS.jsonl.lines(EXAMPLE),
};
