package dev.fairlead.docs;

/** A scene whose frames a page shows. */
@FunctionalInterface
interface Scene {
    void play(Recorder recorder) throws Exception;
}
