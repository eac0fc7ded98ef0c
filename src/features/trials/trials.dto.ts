import { Example, EXAMPLE_IDS } from '../../platform/validation/example';
import { BooleanField, IntegerField, ListField } from '../../platform/validation/fields';
import { TextField, UuidField } from '../../platform/validation/text-fields';
import { MAX_PROMPT_LENGTH } from '../agents/agent-texts';

const nullable = true;

@Example({ call_id: EXAMPLE_IDS.conversation, prompt: 'You are the front desk. Answer in one sentence.' })
export class TryPromptDto {
  @UuidField() call_id: string;

  @TextField({
    max: MAX_PROMPT_LENGTH,
    description: 'Replaces the prompt that the agent had in the call; everything else is as it was then.',
  })
  prompt: string;
}

export class TriedTurnDto {
  @IntegerField({ description: 'The number of the turn in the transcript.' }) sequence: number;
  @TextField({ description: 'What the person said.' }) user: string;
  @TextField({ nullable, description: 'What the agent said then. null: nothing.' }) agent: string | null;
  @TextField({ nullable, description: 'What the prompt makes the model say. null: see `problem`.' })
  answer: string | null;
  @BooleanField({ description: 'Whether the answer ends the call.' }) ends: boolean;
  @TextField({ nullable, description: 'Why there is no answer.' }) problem: string | null;
}

@Example({
  call_id: EXAMPLE_IDS.conversation,
  provider: 'openai',
  model: 'gpt-4o-mini',
  missing: null,
  turns: [
    {
      sequence: 2,
      user: 'I would like an appointment on Monday.',
      agent: 'Let me see. Monday at nine is free. Would that suit you?',
      answer: 'Monday at nine is free.',
      ends: false,
      problem: null,
    },
  ],
  truncated: false,
})
export class TrialDto {
  @TextField() call_id: string;
  @TextField({ description: 'The provider that the agent named in the call; it may be empty.' })
  provider: string;
  @TextField() model: string;
  @TextField({
    nullable,
    description: 'What must be set before the model can be asked. null: the model was asked.',
  })
  missing: string | null;
  @ListField(() => TriedTurnDto, { description: 'The turns of the person, as many as were tried.' })
  turns: TriedTurnDto[];
  @BooleanField({ description: 'Whether the person said more than was tried.' }) truncated: boolean;
}
