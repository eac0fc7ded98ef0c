import { Example, EXAMPLE_IDS } from '../validation/example';
import { IntegerField, NumberField } from '../validation/fields';
import { TextField } from '../validation/text-fields';

const notBlank = { matches: /\S/, message: 'must not be blank' };

export class SearchQuery {
  @TextField({ min: 1, max: 500, pattern: notBlank, description: 'A question or words.' }) query: string;

  @IntegerField({ fromText: true, min: 1, max: 50, optional: true, default: 5 }) limit: number = 5;
}

@Example({
  text: 'We are open from nine to five, on Saturdays from ten to two.',
  score: 1,
  source_id: EXAMPLE_IDS.source,
  source_name: 'https://example.com/hours',
  source_url: 'https://example.com/hours',
  position: 0,
})
export class FoundPassageDto {
  @TextField() text: string;
  @NumberField({
    description: 'The share of the query that it contains, 0 to 1. Rare words count more.',
  })
  score: number;
  @TextField() source_id: string;
  @TextField() source_name: string;
  @TextField({ description: "'' for a file." }) source_url: string;
  @IntegerField({ description: 'Its position in the source, from 0.' }) position: number;
}
