const words: readonly string[] = [
  'note|notes|tip|tips|hint|hints|warning|warnings|caution|important|attention|danger|info|information|notice|see also',
  'hinweis|hinweise|anmerkung|tipp|tipps|warnung|vorsicht|achtung|gefahr|wichtig|siehe auch',
  'remarque|remarques|astuce|conseil|avertissement|mise en garde|voir aussi',
  'nota|notas|consejo|sugerencia|advertencia|aviso|precaución|atención|importante|véase también',
  'suggerimento|avvertenza|avvertimento|avviso|attenzione|cautela|vedi anche',
  'dica|cuidado|atenção|observação|veja também',
  'opmerking|let op|waarschuwing|belangrijk|voorzichtig|zie ook',
  'bemærk|advarsel|anmärkning|obs|varning|viktigt|merk',
  'uwaga|wskazówka|ostrzeżenie|ważne|zobacz też',
  'примечание|подсказка|предупреждение|внимание|важно|осторожно',
  '注記|注意|警告|ヒント|重要|备注|提示|小心|說明|참고|주의|경고',
];

/** The title of a box that only says which kind of notice the box is. */
export const noticeWord: RegExp = new RegExp(`^(?:${words.join('|')})[!.:：]?$`, 'iu');
