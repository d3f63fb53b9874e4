export async function rollSection() { return null; }
export async function searchSection() { return null; }
