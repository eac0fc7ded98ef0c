import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, Unscoped } from '../../platform/http/access';
import { Audited } from '../../accounts/audit/audited';
import { ClientAbortSignal } from '../../platform/http/client-abort-signal';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { MayScan } from '../../platform/http/may-scan';
import { fileTooLarge, Multipart } from '../../platform/http/multipart';
import { ApiRequestBody } from '../../platform/http/request-body';
import { quotaReached } from '../../accounts/workspaces/workspaces.errors';
import {
  AddDoNotCallDto,
  DoNotCallEntryDto,
  ImportDoNotCallDto,
  ImportedDoNotCallDto,
  ListDoNotCallQuery,
} from './do-not-call.dto';
import { claimsUndecided, entryNotFound, importsBusy, invalidNumbersFile } from './do-not-call.errors';
import { DoNotCallService } from './do-not-call.service';
import { MAX_FILE_MEGABYTES } from './number-rows';
import { IMPORT_WAIT_MS, type ImportedNumbers } from './numbers-import';

const listFull = (wanted = 1) =>
  quotaReached('do_not_call_entries', { limit: 1_000_000, used: 1_000_000 }, wanted);

@ApiTags('Do not call')
@Controller('api/do-not-call')
export class DoNotCallController {
  constructor(private readonly list: DoNotCallService) {}

  @Get()
  @Unscoped()
  @MayScan()
  @ApiEnvelopeResponse({
    operationId: 'listDoNotCall',
    summary: 'List the numbers that are not called',
    description: 'Lists the entries of the do-not-call list, newest first, without those that have expired.',
    status: 200,
    message: 'Do-not-call list',
    data: DoNotCallEntryDto,
    list: true,
    paginated: true,
  })
  find(@CurrentCaller() caller: Caller, @Query() query: ListDoNotCallQuery) {
    return this.list.list(caller.workspaceId, query);
  }

  @Post()
  @Unscoped({ operates: true })
  // The audit does not contain the number, which is that of a person.
  @Audited('do_not_call.added', () => ({ id: null }))
  @ApiRequestBody(AddDoNotCallDto)
  @ApiEnvelopeResponse({
    operationId: 'addDoNotCall',
    summary: 'Put a number on the do-not-call list',
    description:
      'From now on the number is not dialled: a call to it is refused, a campaign skips it, and no runtime can claim ' +
      'a call to it that was accepted before. Of a number that is listed twice, the later entry counts; ' +
      'the same entry again with the same credential changes nothing.',
    status: 201,
    message: 'Number listed',
    data: DoNotCallEntryDto,
    errors: [listFull(), claimsUndecided()],
  })
  add(@CurrentCaller() caller: Caller, @Body() body: AddDoNotCallDto) {
    return this.list.add(caller.workspaceId, body);
  }

  @Post('import')
  @Unscoped({ operates: true })
  // The audit does not contain the numbers, which are those of persons.
  @Audited<ImportedNumbers>('do_not_call.imported', ({ result: { count, leftOut } }) => ({
    id: null,
    details: { numbers: count, ...(leftOut && { left_out_rows: leftOut.count }) },
  }))
  @Multipart({ file: 'file', maxBytes: () => MAX_FILE_MEGABYTES * 1024 * 1024 })
  @ApiRequestBody({ 'multipart/form-data': ImportDoNotCallDto })
  @ApiEnvelopeResponse({
    operationId: 'importDoNotCall',
    summary: 'Import a do-not-call list',
    description:
      'Lists the numbers of a CSV file. A file with an error is refused as a whole, unless `invalidRows` is `skip`: ' +
      'then the rows with errors are left out, and the answer has them. The same file again adds no number.',
    status: 201,
    message: 'Numbers listed',
    data: ImportedDoNotCallDto,
    errors: [
      fileTooLarge('file', MAX_FILE_MEGABYTES),
      invalidNumbersFile(
        'Row 3: the phone number "12" is not a possible number in E.164 form, such as +15551234567.',
      ),
      listFull(500),
      importsBusy(IMPORT_WAIT_MS / 1_000),
      claimsUndecided(),
    ],
  })
  import(
    @CurrentCaller() caller: Caller,
    @ClientAbortSignal() abortSignal: AbortSignal,
    @Body() form: ImportDoNotCallDto,
  ) {
    return this.list.import(caller.workspaceId, form, abortSignal);
  }

  @Delete(':phone_number')
  @Unscoped({ operates: true })
  // The audit does not contain the number, which is that of a person.
  @Audited('do_not_call.removed', () => ({ id: null }))
  @ApiEnvelopeResponse({
    operationId: 'removeDoNotCall',
    summary: 'Take a number off the do-not-call list',
    description: 'The number may be called again. A campaign that has skipped it does not call it.',
    status: 200,
    message: 'Number removed',
    errors: [entryNotFound()],
  })
  remove(@CurrentCaller() caller: Caller, @Param('phone_number') phoneNumber: string) {
    return this.list.remove(caller.workspaceId, phoneNumber);
  }
}
