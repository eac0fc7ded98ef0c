import { Example } from '../../../platform/validation/example';
import { TextField } from '../../../platform/validation/text-fields';

@Example({
  recording_url: 'https://parley.example.com/api/calls/019b76da-a800-7000-8000-00000000c0de/recording',
})
export class HandedInRecordingDto {
  @TextField() recording_url: string;
}
