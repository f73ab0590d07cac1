package dev.fairlead.protocol;

/** The flat schemas of elicitation forms. */
public final class ElicitationSchema {
    private ElicitationSchema() {}
}
