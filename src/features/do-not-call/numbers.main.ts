import { serveCsvFiles } from '../../platform/csv/serve-csv-files';
import { NumberRows } from './number-rows';

serveCsvFiles((errors) => new NumberRows(errors));
