/** A scripted raw peer, an adjustable clock and contract suites for transports. */
module dev.fairlead.testing {
    requires transitive dev.fairlead.client;
    requires transitive dev.fairlead.server;
    requires static transitive org.jspecify;
}
