import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventLogModule } from '../events/event-log.module.js';
import { IncidentsModule } from '../incidents/incidents.module.js';
import { MailModule } from '../mail/mail.module.js';
import { MaintenanceModule } from '../maintenance/maintenance.module.js';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { UptimeModule } from '../uptime/uptime.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { BadgesController } from './badges.controller.js';
import { BadgesService } from './badges.service.js';
import { CalendarForm } from './calendar/calendar-form.service.js';
import { HistoryForms } from './history-forms.service.js';
import { CustomDomains } from './custom-domains.service.js';
import { IncidentForms } from './incident-forms.service.js';
import { PageGate } from './page-gate.service.js';
import { PagePreviewService } from './page-preview.service.js';
import { PageViews } from './page-views.service.js';
import { PublicPagesController } from './public-pages.controller.js';
import { PublicPagesService } from './public-pages.service.js';
import { PublishedPages } from './published-pages.service.js';
import { StatuspageController } from './statuspage/statuspage.controller.js';
import { StatuspageForms } from './statuspage/statuspage-forms.service.js';
import { StatusPageComponent } from './status-page-component.entity.js';
import { StatusPageWritesService } from './status-page-writes.service.js';
import { StatusPage } from './status-page.entity.js';
import { StatusPageDefinitionsController } from './status-page-definitions.controller.js';
import { StatusPagesController } from './status-pages.controller.js';
import { StatusPagesService } from './status-pages.service.js';

/** Status pages: their definitions for the team, and the public pages, feeds and badges. */
@Module({
  imports: [
    TypeOrmModule.forFeature([StatusPage, StatusPageComponent]),
    EventLogModule,
    IncidentsModule,
    MailModule,
    MaintenanceModule,
    MonitorsModule,
    TeamsModule,
    UptimeModule,
  ],
  controllers: [
    StatusPagesController,
    StatusPageDefinitionsController,
    PublicPagesController,
    StatuspageController,
    BadgesController,
  ],
  providers: [
    BadgesService,
    CalendarForm,
    CustomDomains,
    HistoryForms,
    IncidentForms,
    PageGate,
    PagePreviewService,
    PageViews,
    PublicPagesService,
    PublishedPages,
    StatusPageWritesService,
    StatusPagesService,
    StatuspageForms,
  ],
  exports: [CustomDomains, PagePreviewService, PublicPagesService, StatusPageWritesService, StatusPagesService],
})
export class StatusPagesModule {}
