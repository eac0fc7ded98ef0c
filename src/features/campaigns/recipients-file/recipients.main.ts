import { serveCsvFiles } from '../../../platform/csv/serve-csv-files';
import { type ReaderOptions, RecipientRows } from './recipient-rows';

serveCsvFiles((errors, options: ReaderOptions) => new RecipientRows(errors, options));
