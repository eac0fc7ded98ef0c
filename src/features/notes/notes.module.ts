import { Module } from '@nestjs/common';
import { WorkspacesModule } from '../../accounts/workspaces/workspaces.module';
import { NotesController } from './notes.controller';
import { NotesRepository } from './notes.repository';
import { NotesService } from './notes.service';

@Module({
  imports: [WorkspacesModule],
  controllers: [NotesController],
  providers: [NotesRepository, NotesService],
  exports: [NotesRepository],
})
export class NotesModule {}
