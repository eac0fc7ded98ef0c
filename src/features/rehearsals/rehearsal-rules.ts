import { setImmediate as othersTurn } from 'node:timers/promises';
import { type FieldError, validationFailed } from '../../platform/http/errors';
import { findRepeatedNames } from '../../platform/http/repeated-names';
import { jsonBytes } from '../../platform/validation/json-bytes';
import { Expressions } from '../../platform/validation/re2';
import type { Check, Person, RehearsalDefinition } from './rehearsal-definition';
import type { Rehearsal } from './rehearsal.entity';
import type { WriteRehearsalDto } from './rehearsals.dto';

const MAX_KILOBYTES = 64;

/** The steps of all patterns of a rehearsal. They are searched in each turn of the agent. */
const MAX_STEPS = 3_000;

interface Pattern {
  path: string;
  pattern: string;
}

export type RehearsalValues = Pick<Rehearsal, 'name' | 'enabled' | 'definition'>;

/**
 * @param path of the rehearsal in the body
 * @throws 400
 */
export function readRehearsal(body: WriteRehearsalDto, path: string): RehearsalValues {
  const { name, enabled, ...parts } = JSON.parse(JSON.stringify(body)) as RehearsalDefinition &
    Pick<Rehearsal, 'name' | 'enabled'>;
  const { person, situation = {}, tools = [], checks } = parts;
  const definition = { person, situation, tools, checks };
  const problems = findRehearsalProblems(definition, path);
  if (problems.length > 0) throw validationFailed(problems);
  return { name, enabled, definition };
}

/**
 * Reads rehearsals one after the other: to compile the largest patterns of 200 takes most of a second.
 * @throws 400
 */
export async function readRehearsals(bodies: WriteRehearsalDto[], path: string): Promise<RehearsalValues[]> {
  const repeated = findRepeatedNames(bodies, path);
  if (repeated.length > 0) throw validationFailed(repeated);
  const read: RehearsalValues[] = [];
  for (const [index, body] of bodies.entries()) {
    read.push(readRehearsal(body, `${path}.${index}`));
    await othersTurn();
  }
  return read;
}

/**
 * @param path of the rehearsal in the body
 * @returns what no single part of a rehearsal shows to be wrong, by its path
 */
export function findRehearsalProblems(definition: RehearsalDefinition, path: string): FieldError[] {
  if (jsonBytes(definition) > MAX_KILOBYTES * 1_024)
    return [
      { field: path, message: `the rehearsal must not be larger than ${MAX_KILOBYTES} KB as JSON in UTF-8` },
    ];
  const problems = [
    ...findPersonProblems(definition.person, `${path}.person`),
    ...findCheckProblems(definition.checks, `${path}.checks`),
  ];
  return problems.length > 0 ? problems : findPatternProblems(listPatterns(definition, path));
}

function findPersonProblems(person: Person, path: string): FieldError[] {
  const refuse = (names: (keyof Person)[], demand: string) =>
    names
      .filter((name) => person[name] !== undefined)
      .map((name) => ({ field: `${path}.${name}`, message: `${name} ${demand}` }));
  return [
    ...(person.persona === undefined ? refuse(['model', 'max_turns'], 'is for a persona only') : []),
    ...(person.voicemail === undefined ? [] : refuse(['hello', 'interrupts'], 'is for a person only')),
  ];
}

/**
 * @returns the paths of what a runtime of web calls cannot play: no model is asked for the server, and in writing no
 * interruption is played
 */
export function findUnjoinable({ person, checks }: RehearsalDefinition): string[] {
  const { persona, interrupts, lines = [] } = person;
  return [
    ...(persona === undefined ? [] : ['person.persona']),
    ...(interrupts ? ['person.interrupts'] : []),
    ...lines.flatMap((line, index) => (line.interrupts ? [`person.lines.${index}.interrupts`] : [])),
    ...checks.flatMap(({ judge }, index) => (judge === undefined ? [] : [`checks.${index}`])),
  ];
}

function findCheckProblems(checks: Check[], path: string): FieldError[] {
  const problems = checks.flatMap(({ cost, ended }, index) =>
    Object.entries({ cost, ended }).flatMap(([name, check]) =>
      check && Object.keys(check).length === 0
        ? [{ field: `${path}.${index}.${name}`, message: `${name} must have one member or more` }]
        : [],
    ),
  );
  if (checks.length === 0) problems.push({ field: path, message: 'checks must have one or more' });
  else if (checks.every(({ judge }) => judge !== undefined))
    problems.push({ field: path, message: 'checks must have one or more beside judge' });
  return problems;
}

/** Compiles the patterns one after the other, up to the first problem. */
function findPatternProblems(patterns: Pattern[]): FieldError[] {
  const expressions = new Expressions(MAX_STEPS);
  for (const { path, pattern } of patterns) {
    const problem = expressions.findProblem(pattern);
    if (problem !== undefined)
      return [{ field: path, message: `${path.slice(path.lastIndexOf('.') + 1)} ${problem}` }];
  }
  return [];
}

function listPatterns({ person, situation, checks }: RehearsalDefinition, path: string): Pattern[] {
  const of = (at: string, pattern: string | undefined) =>
    pattern === undefined || pattern === '' ? [] : [{ path: `${path}.${at}`, pattern }];
  const { knowledge } = situation;
  return [
    ...(person.lines ?? []).flatMap(({ on }, index) => of(`person.lines.${index}.on`, on)),
    ...(Array.isArray(knowledge) ? knowledge : []).flatMap(({ on }, index) =>
      of(`situation.knowledge.${index}.on`, on),
    ),
    ...checks.flatMap(({ said, never_said, variable, tool }, index) => [
      ...of(`checks.${index}.said`, said),
      ...of(`checks.${index}.never_said`, never_said),
      ...of(`checks.${index}.variable.matches`, variable?.matches),
      ...listMatches(tool?.arguments, `${path}.checks.${index}.tool.arguments`),
    ]),
  ];
}

/** The patterns in the arguments of a check, `{"matches": PATTERN}`, at any depth. */
function listMatches(value: unknown, path: string): Pattern[] {
  if (typeof value !== 'object' || value === null) return [];
  const pattern = readMatches(value);
  if (pattern !== undefined) return [{ path: `${path}.matches`, pattern }];
  return Object.entries(value).flatMap(([name, part]) => listMatches(part, `${path}.${name}`));
}

/** @returns the pattern if an argument is given as one */
export function readMatches(value: object): string | undefined {
  const [[name, pattern] = [], ...others] = Object.entries(value) as [string, unknown][];
  return name === 'matches' && typeof pattern === 'string' && others.length === 0 ? pattern : undefined;
}
