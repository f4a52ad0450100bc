import { Injectable } from '@nestjs/common';
import { type ProblemException } from '../../http/problems/problem.js';
import { renderNotice } from './html/notice.view.js';
import { frameOf, type PageRequest } from './page-frame.js';
import { PageOrigin } from './page-origin.service.js';
import { PAGE_HEADERS } from './page.interceptor.js';

/** A page that reports an error, with its headers. */
export interface NoticePage {
  html: string;
  headers: Readonly<Record<string, string>>;
}

/** Paths that serve programs and never respond with a page, whatever `Accept` requests. */
const FOR_PROGRAMS = /^\/(v1|docs|status|badges|assets|healthz|readyz|metrics)(\/|$)/;

/** Renders errors as pages. */
@Injectable()
export class NoticePages {
  constructor(private readonly origin: PageOrigin) {}

  /** Returns a page that reports an error. */
  of(request: PageRequest, problem: ProblemException): NoticePage {
    const frame = frameOf(request, this.origin.of(request), Date.now());
    const headers = { ...problem.headers, ...PAGE_HEADERS };
    return { html: renderNotice(frame, problem, request.requestId ?? ''), headers };
  }

  /**
   * Returns a page if a browser has requested an unknown path or an unsupported method; null for all other requests.
   */
  forBrowser(request: PageRequest, problem: ProblemException): NoticePage | null {
    if (problem.getStatus() !== 404 && problem.getStatus() !== 405) return null;
    const takesPages = request.headers.accept?.includes('text/html') ?? false;
    return takesPages && !FOR_PROGRAMS.test(request.path) ? this.of(request, problem) : null;
  }
}
