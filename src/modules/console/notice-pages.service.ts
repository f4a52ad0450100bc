import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { type ProblemException } from '../../http/problems/problem.js';
import { renderNotice } from './html/notice.view.js';
import { frameOf, type PageRequest } from './page-frame.js';
import { PAGE_HEADERS } from './page.interceptor.js';

/** A page that tells of an error, with the headers that it goes with. */
export interface NoticePage {
  html: string;
  headers: Readonly<Record<string, string>>;
}

/** What stands below these answers programs, whatever they say they take. */
const FOR_PROGRAMS = /^\/(v1|docs|status|badges|assets|healthz|readyz|metrics)(\/|$)/;

/** Errors as pages. */
@Injectable()
export class NoticePages {
  constructor(private readonly config: AppConfig) {}

  /** A page that tells of an error. */
  of(request: PageRequest, problem: ProblemException): NoticePage {
    const frame = frameOf(request, this.config.get('PUBLIC_URL'), Date.now());
    const headers = { ...problem.headers, ...PAGE_HEADERS };
    return { html: renderNotice(frame, problem, request.requestId ?? ''), headers };
  }

  /** A page for a browser that has opened what there is not, or not so; null for all other requests. */
  forBrowser(request: PageRequest, problem: ProblemException): NoticePage | null {
    if (problem.getStatus() !== 404 && problem.getStatus() !== 405) return null;
    const takesPages = request.headers.accept?.includes('text/html') ?? false;
    return takesPages && !FOR_PROGRAMS.test(request.path) ? this.of(request, problem) : null;
  }
}
