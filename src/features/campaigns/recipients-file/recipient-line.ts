import { copyEscaped, copyField, copyJsonText } from '../../../platform/csv/copy-text';
import { isIrregular } from '../recipients/irregular-recipient';
import type { RecipientColumns } from './recipient-columns';

/** @returns a function that makes a line of COPY's text format from the row's number and fields */
export function recipientLine({ phoneNumber, customerName, timezone, variables }: RecipientColumns) {
  const named = variables.map(({ name, index }, at) => ({
    prefix: `${at === 0 ? '{' : ','}${copyEscaped(JSON.stringify(name))}:`,
    index,
  }));
  return (row: number, fields: string[]): string => {
    const number = fields[phoneNumber] as string;
    const name = fields[customerName] ?? '';
    let line = `${row}\t${number}\t${copyField(name)}\t`;
    for (const { prefix, index } of named) line += prefix + copyJsonText(fields[index] as string);
    return `${line}}\t${fields[timezone] ?? ''}\t${isIrregular(number, name)}\n`;
  };
}
