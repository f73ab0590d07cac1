package dev.fairlead.server;

/** The input of a tool or prompt that takes no arguments. */
public record NoInput() {}
