/// Leave this file out and everything works on the class path.
module mine {
  requires io.tranche.work;
}
