import { Body, Controller, Injectable, Module, Post } from '@nestjs/common'
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm'
import { IsObject, IsOptional, IsString, MinLength } from 'class-validator'
import {
  Column,
  CreateDateColumn,
  DeleteDateColumn,
  Entity,
  PrimaryGeneratedColumn,
  type Repository,
  UpdateDateColumn,
  VersionColumn,
} from 'typeorm'

@Entity('workspaces')
export class Workspace {
  @PrimaryGeneratedColumn('identity')
  id: number

  @Column('text')
  name: string

  @Column('text')
  description: string

  @Column('text', { nullable: true })
  status: string | null

  @Column('date', { nullable: true })
  trial_end_date: string | null

  @Column('jsonb')
  analytical_quota: object

  @Column('jsonb')
  ai_quota: object

  @Column('jsonb')
  config: object

  @VersionColumn()
  version: number

  @CreateDateColumn({ type: 'timestamptz' })
  created_at: Date

  @UpdateDateColumn({ type: 'timestamptz' })
  updated_at: Date

  @Column('integer', { nullable: true })
  updated_by: number | null

  @DeleteDateColumn({ type: 'timestamptz' })
  deleted_at: Date | null
}

class CreateWorkspace {
  @IsString()
  @MinLength(1)
  name: string

  @IsString()
  description: string

  @IsOptional()
  @IsString()
  status: string | null

  @IsObject()
  analytical_quota: object

  @IsObject()
  ai_quota: object

  @IsObject()
  config: object
}

@Injectable()
class WorkspacesService {
  constructor(@InjectRepository(Workspace) private readonly workspaces: Repository<Workspace>) {}

  create(values: CreateWorkspace) {
    return this.workspaces.save(this.workspaces.create(values))
  }
}

@Controller('workspaces')
class WorkspacesController {
  constructor(private readonly workspaces: WorkspacesService) {}

  @Post()
  create(@Body() values: CreateWorkspace) {
    return this.workspaces.create(values)
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([Workspace])],
  controllers: [WorkspacesController],
  providers: [WorkspacesService],
})
export class WorkspacesModule {}
