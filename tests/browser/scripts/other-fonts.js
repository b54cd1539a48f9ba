export default (font) => {
  for (const name of ["--serif", "--sans"]) document.documentElement.style.setProperty(name, font);
};
