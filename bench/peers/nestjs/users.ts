import {
  Body,
  Controller,
  Get,
  Injectable,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Patch,
  Query,
} from '@nestjs/common'
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm'
import { Type } from 'class-transformer'
import { IsInt, IsOptional, IsString, Min, MinLength } from 'class-validator'
import {
  Column,
  CreateDateColumn,
  DeleteDateColumn,
  Entity,
  ILike,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
  type Repository,
  UpdateDateColumn,
  VersionColumn,
} from 'typeorm'
import { Workspace } from './workspaces.ts'

const PAGE_SIZE = 20

@Entity('users')
export class User {
  @PrimaryGeneratedColumn('identity')
  id: number

  @Column('integer')
  workspace_id: number

  @ManyToOne(() => Workspace)
  @JoinColumn({ name: 'workspace_id' })
  workspace: Workspace

  @Column('text')
  first_name: string

  @Column('text')
  last_name: string

  @Column('text')
  email: string

  @Column('text', { select: false })
  password_hash: string

  @Column('boolean')
  is_admin: boolean

  @Column('boolean')
  is_super_admin: boolean

  @Column('text')
  type: string

  @Column('text')
  language: string

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

  @Column({ type: 'text', select: false, insert: false, update: false })
  search_text: string
}

/** The fields that Watchdesk returns. */
const FIELDS = {
  id: true,
  first_name: true,
  last_name: true,
  email: true,
  workspace_id: true,
  is_admin: true,
  is_super_admin: true,
  type: true,
  language: true,
  version: true,
  workspace: { name: true },
}
const relations = { workspace: true }

class ListQuery {
  @Type(() => Number)
  @IsInt()
  @Min(1)
  page: number = 1

  @IsOptional()
  @IsString()
  search?: string
}

class UpdateUser {
  @IsString()
  @MinLength(1)
  first_name: string
}

@Injectable()
class UsersService {
  constructor(@InjectRepository(User) private readonly users: Repository<User>) {}

  async list({ page, search }: ListQuery) {
    // Without `select`, with which TypeORM counts distinct values of all these fields: ten times slower.
    const [objects, total] = await this.users.findAndCount({
      relations,
      where: search ? { search_text: ILike(`%${search}%`) } : {},
      order: { id: 'asc' },
      skip: (page - 1) * PAGE_SIZE,
      take: PAGE_SIZE,
    })
    return { objects, total, size: PAGE_SIZE }
  }

  async get(id: number) {
    const user = await this.users.findOne({ select: FIELDS, relations, where: { id } })
    if (!user) throw new NotFoundException()
    return user
  }

  async update(id: number, values: UpdateUser) {
    await this.users.update(id, values)
    return this.get(id)
  }
}

@Controller('users')
class UsersController {
  constructor(private readonly users: UsersService) {}

  @Get()
  list(@Query() query: ListQuery) {
    return this.users.list(query)
  }

  @Get(':id')
  get(@Param('id', ParseIntPipe) id: number) {
    return this.users.get(id)
  }

  @Patch(':id')
  update(@Param('id', ParseIntPipe) id: number, @Body() values: UpdateUser) {
    return this.users.update(id, values)
  }
}

@Module({ imports: [TypeOrmModule.forFeature([User])], controllers: [UsersController], providers: [UsersService] })
export class UsersModule {}
