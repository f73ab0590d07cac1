package dev.fairlead.server;

import dev.fairlead.json.RecordConstructor;

import java.lang.invoke.MethodHandles;

/** The input of a tool or prompt that takes no arguments. */
public record NoInput() {
    static {
        RecordConstructor.register(MethodHandles.lookup(), none -> new NoInput());
    }
}
