package dev.fairlead.protocol.logging;

import dev.fairlead.json.JsonName;

/** The severity of a log message, in rising order: the severities of syslog, RFC 5424. */
public enum LoggingLevel {
    @JsonName("debug")
    DEBUG,
    @JsonName("info")
    INFO,
    @JsonName("notice")
    NOTICE,
    @JsonName("warning")
    WARNING,
    @JsonName("error")
    ERROR,
    @JsonName("critical")
    CRITICAL,
    @JsonName("alert")
    ALERT,
    @JsonName("emergency")
    EMERGENCY;

    /** Returns whether a message of this level is to be sent where this minimum was set. */
    public boolean isAtLeast(LoggingLevel minimum) {
        return compareTo(minimum) >= 0;
    }
}
