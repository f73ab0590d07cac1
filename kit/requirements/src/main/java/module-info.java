/** The annotation by which a test names the protocol requirements that it proves. */
module dev.fairlead.requirements {
    exports dev.fairlead.requirements;
}
