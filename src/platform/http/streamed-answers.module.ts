import { Module } from '@nestjs/common';
import { LastingAccess } from './lasting-access';
import { StreamedAnswers } from './streamed-answers';
import { UnreadAnswers } from './unread-answers';

/** Provides one instance of each for all features, so that a workspace has one bound. */
@Module({
  providers: [UnreadAnswers, LastingAccess, StreamedAnswers],
  exports: [UnreadAnswers, LastingAccess, StreamedAnswers],
})
export class StreamedAnswersModule {}
