import { Example, EXAMPLE_IDS } from '../../platform/validation/example';
import { IntegerField, ListField, NumberField } from '../../platform/validation/fields';
import { TextsField } from '../../platform/validation/item-fields';
import { TextField } from '../../platform/validation/text-fields';

const notBlank = { matches: /\S/, message: 'must not be blank' };

export class SearchQuery {
  @TextField({ min: 1, max: 500, pattern: notBlank, description: 'A question or words.' }) query: string;

  @IntegerField({ fromText: true, min: 1, max: 50, optional: true, default: 5 }) limit: number = 5;
}

export class HighlightDto {
  @IntegerField({ min: 0 }) start: number;
  @IntegerField({ min: 1, description: 'The position after the last character.' }) end: number;
}

@Example({
  text: 'We are open from nine to five, on Saturdays from ten to two.',
  highlights: [
    { start: 7, end: 11 },
    { start: 34, end: 43 },
  ],
  matched_words: ['open', 'saturday'],
  missing_words: ['when'],
  score: 0.8667,
  source_id: EXAMPLE_IDS.source,
  source_name: 'https://example.com/hours',
  source_url: 'https://example.com/hours',
  page: null,
  position: 0,
})
export class FoundPassageDto {
  @TextField() text: string;
  @ListField(() => HighlightDto, {
    description:
      'Where the text has words of the query or similar ones, in its order. Positions count from 0 in UTF-16 ' +
      'code units, as in JavaScript.',
  })
  highlights: HighlightDto[];
  @TextsField({
    description: 'The words of the query that the passage contains, exactly or in a similar form.',
  })
  matched_words: string[];
  @TextsField({ description: 'The other words of the query.' }) missing_words: string[];
  @NumberField({
    description: 'The share of the query that it contains, 0 to 1. Rare words count more.',
  })
  score: number;
  @TextField() source_id: string;
  @TextField() source_name: string;
  @TextField({ description: "'' for a file." }) source_url: string;
  @IntegerField({
    nullable: true,
    description:
      'The page of a PDF, from 1. null for other sources, and for those that were indexed before Parley kept ' +
      'pages: replacing them adds it.',
  })
  page: number | null;
  @IntegerField({ description: 'Its position in the source, from 0.' }) position: number;
}
