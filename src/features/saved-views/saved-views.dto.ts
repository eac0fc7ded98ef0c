import { ValidateBy } from 'class-validator';
import { ActorDto } from '../../platform/http/actor.dto';
import { Example, EXAMPLE_IDS, EXAMPLE_TIME } from '../../platform/validation/example';
import { DateTimeField, NestedField } from '../../platform/validation/fields';
import { NameField, TextField, UuidField } from '../../platform/validation/text-fields';
import { VIEW_PAGES } from './saved-view.entity';

const PAGE = { choices: VIEW_PAGES, description: 'The page of the console.' };

const EXAMPLE = { page: 'calls', name: 'Failed yesterday', query: 'status=failed', period: 'yesterday' };

/** Parameters by which a person is found. An erasure does not reach them in a query. */
const PERSONAL = ['number', 'customer_name', 'external_id'];

const NamesNobody = () =>
  ValidateBy({
    name: 'namesNobody',
    validator: {
      validate: (query: unknown) =>
        typeof query === 'string' &&
        // URLSearchParams drops it, so that what follows would have another name.
        !query.startsWith('?') &&
        PERSONAL.every((name) => !new URLSearchParams(query).has(name)),
      defaultMessage: () => `$property must not contain ${PERSONAL.join(', ')}, which name a person`,
    },
  });

export class ListSavedViewsQuery {
  @TextField({ ...PAGE, optional: true }) page?: SaveViewDto['page'];
}

@Example(EXAMPLE)
export class SaveViewDto {
  @TextField(PAGE) page: (typeof VIEW_PAGES)[number];

  @NameField({ max: 80, description: 'A view of the page with this name is replaced.' }) name: string;

  @NamesNobody()
  @TextField({
    max: 2_000,
    description: `The query of the page's address, without ${PERSONAL.join(', ')}.`,
  })
  query: string;

  @TextField({
    max: 40,
    pattern: { matches: /^[A-Za-z]+$/, message: 'must be the name of a period, such as lastWeek' },
    optional: true,
    nullable: true,
    description:
      'The name that the console has for a period. Its times take the place of those in the query.',
  })
  period: string | null = null;
}

@Example({
  view_id: EXAMPLE_IDS.savedView,
  ...EXAMPLE,
  updated_by: { kind: 'person', id: EXAMPLE_IDS.person, name: 'Ada Lovelace' },
  updated_at: EXAMPLE_TIME,
})
export class SavedViewDto extends SaveViewDto {
  @UuidField() view_id: string;
  @NestedField(() => ActorDto, { description: 'The user who saved it last.' }) updated_by: ActorDto;
  @DateTimeField() updated_at: Date;
}
