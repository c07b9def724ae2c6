// NestJS on Express, its default, with TypeORM on the tables of Watchdesk, without sign-in.
import 'reflect-metadata'
import { Module, ValidationPipe } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { TypeOrmModule } from '@nestjs/typeorm'
import { UsersModule } from './users.ts'
import { WorkspacesModule } from './workspaces.ts'

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env.DATABASE_URL,
      poolSize: 10,
      autoLoadEntities: true,
    }),
    UsersModule,
    WorkspacesModule,
  ],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] })
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }))
await app.listen(0, '127.0.0.1')
console.log(`NestJS is ready at ${await app.getUrl()} `)
