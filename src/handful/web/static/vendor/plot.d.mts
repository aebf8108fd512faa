// Charts are drawn from plain options, so that this is all the pages need to know of the library.
export function plot(options: object): SVGElement & HTMLElement;
