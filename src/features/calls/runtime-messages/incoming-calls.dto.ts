import { MAX_VARIABLE_NAME_LENGTH } from '../../agents/agent-texts';
import { TextField, TextMapField, UuidField } from '../../../platform/validation/text-fields';
import { MAX_VARIABLE_LENGTH, MAX_VARIABLES } from '../model/call-request';
import { CALL_TYPE, CALL_TYPES, type CallType } from '../model/call-states';
import { IsStorableJson } from './message-validation';

const optional = true;

/** Checks only the form of E.164: a network may show callers with numbers that no numbering plan has. */
const numberOptions = (matches: RegExp) => ({
  max: 16,
  pattern: { matches, message: 'must be a phone number in E.164 form, such as +15551234567' },
});

/** A call that has reached a runtime. */
export class IncomingCallDto {
  @UuidField() claim_id: string;
  @TextField({ min: 1, max: 200 }) worker_id: string;
  @TextField(numberOptions(/^\+[1-9]\d{0,14}$/)) to_number: string;
  /** '' where it is withheld */
  @TextField(numberOptions(/^(\+[1-9]\d{0,14})?$/)) from_number: string;
  @TextField({ optional, choices: CALL_TYPES }) call_type: CallType = CALL_TYPE.phonecall;
  @TextMapField({
    optional,
    maxKeys: MAX_VARIABLES,
    maxNameLength: MAX_VARIABLE_NAME_LENGTH,
    maxLength: MAX_VARIABLE_LENGTH,
  })
  @IsStorableJson()
  dynamic_variables?: Record<string, string>;
  @TextField({ optional, max: 1_024 }) external_id?: string;
}
