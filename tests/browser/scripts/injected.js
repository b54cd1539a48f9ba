export default () => [
  ...globalThis.ran ? ["a script ran"] : [],
  ...[
    ...document.querySelectorAll(
      'img[src=x], svg[onload], a[href^="javascript:" i], script:not([src]), iframe',
    ),
  ]
    .map((one) => one.outerHTML.slice(0, 160)),
];
