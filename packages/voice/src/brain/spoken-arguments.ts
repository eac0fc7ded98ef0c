import type { ToolOfCall } from '@parley/worker';
import { isNo } from './replies';

/** An argument that a person can say in a few words. */
export type Argument = string | number | boolean;

interface Schema {
  properties?: Record<string, { type?: string }>;
  required?: string[];
}

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

const ASKED_FOR = ['string', 'integer', 'number', 'boolean'];

const typeOf = ({ parameters }: ToolOfCall, name: string) => (parameters as Schema).properties?.[name]?.type;

/** The required parameters of a tool. @returns undefined: one of them cannot be said in a word or a sentence */
export function listRequired(tool: ToolOfCall): string[] | undefined {
  const { required = [] } = tool.parameters as Schema;
  return required.every((name) => ASKED_FOR.includes(typeOf(tool, name) ?? '')) ? required : undefined;
}

/** @returns the argument that the person has said, undefined: it is none */
export function toArgument(tool: ToolOfCall, name: string, said: string): Argument | undefined {
  const type = typeOf(tool, name);
  if (type === 'boolean') return !isNo(said);
  return type === 'string' ? said : toNumber(said);
}

function toNumber(said: string): number | undefined {
  const [digits] = /\d+(\.\d+)?/.exec(said) ?? [];
  if (digits !== undefined) return Number(digits);
  const words = said.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.map((word) => NUMBERS.indexOf(word)).find((number) => number >= 0);
}
