import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Example } from '../validation/example';
import { IntegerField } from '../validation/fields';

export const SORT_ORDERS = ['asc', 'desc'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

export class PageQuery {
  @IntegerField({ fromText: true, min: 1, max: 1_000_000_000, optional: true, default: 1 })
  page: number = 1;

  @IntegerField({ fromText: true, min: 1, max: 100, optional: true, default: 10 })
  limit: number = 10;
}

@Example({ page: 1, limit: 10, total: 1, totalPages: 1, hasNextPage: false, hasPrevPage: false })
export class Pagination {
  @ApiProperty({ type: 'integer' }) page: number;
  @ApiProperty({ type: 'integer' }) limit: number;
  @ApiProperty({ type: 'integer' }) total: number;
  @ApiProperty({ type: 'integer' }) totalPages: number;
  @ApiProperty() hasNextPage: boolean;
  @ApiProperty() hasPrevPage: boolean;
  @ApiPropertyOptional({
    description: 'true: there may be more than are counted and listed. Absent: there are no more.',
  })
  totalIsLowerBound?: boolean;
}

/** A response's `data` together with the pagination object that stands beside it in the envelope. */
export class Paginated<Data> {
  constructor(
    readonly data: Data,
    readonly pagination: Pagination,
  ) {}
}

export function paginate<Data>(
  data: Data,
  { page, limit }: PageQuery,
  total: number,
  totalIsLowerBound = false,
): Paginated<Data> {
  const totalPages = Math.ceil(total / limit);
  return new Paginated(data, {
    page,
    limit,
    total,
    totalPages,
    hasNextPage: page < totalPages,
    hasPrevPage: page > 1 && totalPages > 0,
    ...(totalIsLowerBound && { totalIsLowerBound }),
  });
}

/** The number of rows before the page. */
export const getOffset = ({ page, limit }: PageQuery) => (page - 1) * limit;
