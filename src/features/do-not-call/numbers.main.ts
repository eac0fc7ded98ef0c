import { serveCsvFiles } from '../../platform/csv/serve-csv-files';
import { NumberRows, type NumbersOptions } from './number-rows';

serveCsvFiles((errors, options: NumbersOptions) => new NumberRows(errors, options));
