import type { CallDetailDto } from '../reports/call-records/call-records.dto';
import type { ReadTranscript } from '../reports/call-records/transcripts.service';
import type { TimelineEntry } from '../reports/call-records/timeline';
import type { ListedInvocationDto } from '../tool-invocations/tool-invocations.dto';
import { joinLines } from './page-lines';

/** The longest timeline of a page, in characters. */
const MAX_TIMELINE = 20_000;

/** The longest list of what the agent did, in characters, and the longest text of one invocation. */
const MAX_TOOLS = 20_000;
const MAX_VALUE = 400;

/** The longest transcript of a page, in characters. */
export const MAX_TRANSCRIPT = 60_000;

/** The states of an invocation, in words. */
const STATES: Record<ListedInvocationDto['state'], string> = {
  running: 'it is not settled yet',
  done: 'it was done',
  refused: 'it was refused, and not done',
  failed: 'it failed, and was not done',
  unknown: 'it is not known whether it was done',
};

/** One page about a call: what it was, what happened in order, what the agent did, and what was said. */
export function explainCall(
  call: CallDetailDto,
  timeline: TimelineEntry[],
  invocations: ListedInvocationDto[],
  transcript: ReadTranscript,
): string {
  return joinLines([
    ...describeCall(call),
    '',
    '## What happened',
    ...cutLines(
      timeline.map(({ at, text }) => `${at.toISOString()} ${text}`),
      MAX_TIMELINE,
    ),
    '',
    '## What the agent did',
    ...describeInvocations(invocations),
    '',
    '## What was said',
    ...describeTranscript(transcript),
  ]);
}

function describeCall(call: CallDetailDto): string[] {
  const { agent, metadata } = call;
  const facts = [
    `Call ${call.call_id}: ${call.direction} ${call.call_type} of the agent “${agent.name}” (${agent.id}).`,
    `Status: ${call.status}${call.disconnect_reason ? `, ended as ${call.disconnect_reason}` : ''}.`,
    call.to_number && `To ${call.to_number}${call.from_number && `, from ${call.from_number}`}.`,
    call.customer_name && `Customer: ${call.customer_name}.`,
    `Connected for ${call.duration_sec} s, charged ${call.charge} credits.`,
    metadata.outcome && `Outcome: ${metadata.outcome}.`,
    metadata.summary && `Summary: ${metadata.summary}`,
    call.campaign && `Of the campaign “${call.campaign.name}” (${call.campaign.id}).`,
  ];
  return facts.filter((fact): fact is string => typeof fact === 'string' && fact !== '');
}

function describeTranscript({ turns, isComplete, isCut }: ReadTranscript): string[] {
  if (turns.length === 0) return ['Nothing was reported.'];
  const lines = turns.map(({ speaker, text, tool }) =>
    `${speaker}: ${text}${tool ? ` [used ${tool.name}]` : ''}`.trimEnd(),
  );
  if (isCut) return [...lines, '(The rest is left out. Read it with GET /api/calls/{call_id}/transcript.)'];
  return isComplete ? lines : [...lines, '(More may follow, or was not reported.)'];
}

const describeInvocations = (invocations: ListedInvocationDto[]): string[] =>
  invocations.length === 0
    ? ['It asked for no tools.']
    : cutLines(invocations.map(describeInvocation), MAX_TOOLS);

function describeInvocation(invocation: ListedInvocationDto): string {
  const { tool, state, result, error, repeats, settled_by, note } = invocation;
  const facts = [
    `${invocation.asked_at.toISOString()} ${tool} with ${cutValue(invocation.arguments)}: ${STATES[state]}.`,
    error && `Why: ${cutValue(error)}.`,
    result !== null && `Answer: ${cutValue(result)}.`,
    repeats > 0 && `Times that the same was asked for again, and not sent: ${repeats}.`,
    settled_by === 'person' && `A person said so${note && `: ${cutValue(note)}`}.`,
  ];
  return facts.filter((fact): fact is string => typeof fact === 'string' && fact !== '').join(' ');
}

function cutValue(value: unknown): string {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\.$/, '');
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE).toWellFormed()} …` : text;
}

/** The first lines that fit, and how many do not. */
function cutLines(lines: string[], maxLength: number): string[] {
  let length = 0;
  const fitting = lines.findIndex((line) => (length += line.length + 1) > maxLength);
  if (fitting === -1) return lines;
  return [...lines.slice(0, fitting), `(${lines.length - fitting} more entries are left out.)`];
}
